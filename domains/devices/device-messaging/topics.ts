const ROOT = 'ss/1'

/** Below it lies all a device may say and hear. */
export const deviceTopicPrefix = (tenantId: string, clientId: string): string => `${ROOT}/${tenantId}/${clientId}/`

/** What one device may say and hear, for whoever lets it in. */
export const deviceTopicGrant = (tenantId: string, clientId: string): { publish: string[]; subscribe: string[] } => {
  const prefix = deviceTopicPrefix(tenantId, clientId)
  return { publish: [`${prefix}up/`], subscribe: [`${prefix}down/`] }
}

/** What devices say, all of them. */
export const ALL_DEVICE_TOPICS = `${ROOT}/+/+/up/#`

/** Who speaks in a topic, and what about: `ss/1/100001/GW-1/up/evt`. */
export function parseTopic(topic: string): { tenantId: string; clientId: string; about: string } | undefined {
  const [root, version, tenantId, clientId, up, about, ...more] = topic.split('/')
  if (`${root}/${version}` !== ROOT || up !== 'up' || !tenantId || !clientId || !about || more.length) return undefined
  return { tenantId, clientId, about }
}
