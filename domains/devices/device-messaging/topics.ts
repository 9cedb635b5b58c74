const ROOT = 'ss/1'

/** Returns the prefix of all topics of a device. */
export const deviceTopicPrefix = (tenantId: string, clientId: string): string => `${ROOT}/${tenantId}/${clientId}/`

/** Returns the topic prefixes a device may publish and subscribe to. */
export const deviceTopicGrant = (tenantId: string, clientId: string): { publish: string[]; subscribe: string[] } => {
  const prefix = deviceTopicPrefix(tenantId, clientId)
  return { publish: [`${prefix}up/`], subscribe: [`${prefix}down/`] }
}

/** Topic filter for all messages of all devices. */
export const ALL_DEVICE_TOPICS = `${ROOT}/+/+/up/#`

/** Parses a topic such as `ss/1/100001/GW-1/up/evt`; undefined for any other. */
export function parseTopic(topic: string): { tenantId: string; clientId: string; about: string } | undefined {
  const [root, version, tenantId, clientId, up, about, ...more] = topic.split('/')
  if (`${root}/${version}` !== ROOT || up !== 'up' || !tenantId || !clientId || !about || more.length) return undefined
  return { tenantId, clientId, about }
}
