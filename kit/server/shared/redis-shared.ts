import { Redis } from 'ioredis'
import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import type { Json, SharedStore } from './shared.ts'
import { createSubscribers } from './subscribers.ts'

type Options = { log?: MinimalLogger; prefix?: string }

/** Time limit for an answer in milliseconds: longer than a busy Redis takes, shorter than people wait. */
const answerMs = 1_500

const milliseconds = (ttlSeconds: number) => Math.max(1, Math.round(ttlSeconds * 1000))

/** A single script, so that a counter never remains without expiry. */
const incrementScript = `
local hits = redis.call('incr', KEYS[1])
if hits == 1 or ARGV[2] == 'sliding' then redis.call('pexpire', KEYS[1], ARGV[1]) end
return hits`

const parse = (text: unknown): Json | undefined => (typeof text === 'string' ? JSON.parse(text) : undefined)

/** Logs a broken connection once, until it is back; the client reconnects by itself. */
function reportLoss(connection: Redis, log: MinimalLogger): void {
  let isBroken = false
  connection.on('ready', () => (isBroken = false))
  connection.on('error', (err) => {
    if (!isBroken) log.warn({ err }, 'The connection to Redis broke')
    isBroken = true
  })
}

/** Receives messages of all channels, on a separate connection as Redis requires. */
function subscribeChannels(subscriptions: Redis, log: MinimalLogger) {
  const subscribers = createSubscribers(log)
  let wasReady = false
  subscriptions.on('ready', () => {
    if (wasReady) subscribers.gap()
    wasReady = true
  })
  subscriptions.on('message', (_channel, payload) => {
    const { channel, message } = JSON.parse(payload) as { channel: string; message: Json }
    subscribers.deliver(channel, message)
  })
  return subscribers
}

/** `SharedStore` on Redis; all keys carry the prefix, so that installations can share a server. */
export function createRedisSharedStore(
  url: string,
  { log = silentLogger, prefix = 'store:' }: Options = {},
): SharedStore {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: answerMs, connectTimeout: answerMs })
  const subscriptions = new Redis(url, { maxRetriesPerRequest: null, connectTimeout: answerMs })
  for (const connection of [redis, subscriptions]) reportLoss(connection, log)
  const subscribers = subscribeChannels(subscriptions, log)
  const channelName = `${prefix}channel`
  let listening: Promise<unknown> | undefined

  const valueKey = (key: string) => `${prefix}value:${key}`
  const countKey = (key: string) => `${prefix}count:${key}`

  return {
    async publish(channel, message) {
      await redis.publish(channelName, JSON.stringify({ channel, message }))
    },
    async subscribe(channel, handler, onGap) {
      const unsubscribe = subscribers.add(channel, handler, onGap)
      listening ??= subscriptions.subscribe(channelName)
      await listening
      return unsubscribe
    },
    async increment(key, windowSeconds, kind = 'fixed') {
      return Number(await redis.eval(incrementScript, 1, countKey(key), milliseconds(windowSeconds), kind))
    },
    async count(key) {
      return Number((await redis.get(countKey(key))) ?? 0)
    },
    async forget(key) {
      await redis.del(valueKey(key), countKey(key))
    },
    async put(key, value, ttlSeconds) {
      await redis.set(valueKey(key), JSON.stringify(value), 'PX', milliseconds(ttlSeconds))
    },
    async claim(key, value, ttlSeconds) {
      const answer = await redis.set(valueKey(key), JSON.stringify(value), 'PX', milliseconds(ttlSeconds), 'NX')
      return answer === 'OK'
    },
    async take(key) {
      const answers = await redis.multi().get(valueKey(key)).del(valueKey(key)).exec()
      return parse(answers?.[0]?.[1])
    },
    async read(key) {
      return parse(await redis.get(valueKey(key)))
    },
    async ping() {
      await redis.ping()
    },
    async close() {
      redis.disconnect()
      subscriptions.disconnect()
    },
  }
}
