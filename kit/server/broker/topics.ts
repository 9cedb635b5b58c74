/** Of one message, whatever it says. */
export const MQTT_MESSAGE_BYTES_MAX = 64 * 1024

/** What one signed-in client may do: topics below these prefixes, each ending with a slash. */
export type TopicGrant = { publish: string[]; subscribe: string[] }

export function mayPublish(grant: TopicGrant, topic: string): boolean {
  return grant.publish.some((prefix) => topic.startsWith(prefix))
}

/** A filter's wildcards must stand behind the prefix: "gw/7/#" lies below "gw/7/", "gw/+/status" does not. */
export function maySubscribe(grant: TopicGrant, filter: string): boolean {
  return grant.subscribe.some((prefix) => filter.startsWith(prefix))
}

/** A prefix that holds a wildcard or no end would open more than one client's topics; `$` begins the broker's own. */
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
