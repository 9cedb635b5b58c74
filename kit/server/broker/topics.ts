/** Maximum payload of a message in bytes. */
export const MQTT_MESSAGE_BYTES_MAX = 64 * 1024

/** Topics of a signed-in client, as prefixes that end with a slash. */
export type TopicGrant = { publish: string[]; subscribe: string[] }

export function mayPublish(grant: TopicGrant, topic: string): boolean {
  return grant.publish.some((prefix) => topic.startsWith(prefix))
}

/** Wildcards are allowed only after a granted prefix: "gw/7/#" is below "gw/7/", "gw/+/status" is not. */
export function maySubscribe(grant: TopicGrant, filter: string): boolean {
  return grant.subscribe.some((prefix) => filter.startsWith(prefix))
}

/**
 * Returns the grant; throws if a prefix contains a wildcard, has no final slash, or starts with `$` (the broker's own
 * topics): it would cover topics of other clients.
 */
export function requireValidTopicGrant(grant: TopicGrant): TopicGrant {
  for (const prefix of [...grant.publish, ...grant.subscribe]) {
    if (!/^(?!\$)([^+#/]+\/)+$/.test(prefix)) throw new Error(`"${prefix}" is no topic prefix`)
  }
  return grant
}

/** Whether an MQTT filter with + and # matches a topic. */
export function topicMatches(filter: string, topic: string): boolean {
  if (topic.startsWith('$') && /^[+#]/.test(filter)) return false
  const levels = topic.split('/')
  const parts = filter.split('/')
  for (const [i, part] of parts.entries()) {
    if (part === '#') return true
    if (i >= levels.length || (part !== '+' && part !== levels[i])) return false
  }
  return parts.length === levels.length
}
