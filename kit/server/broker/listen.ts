import { holdLease, type Lease } from '../database/lease.ts'
import type { MinimalLogger } from '../base/minimal-logger.ts'
import type { MessageIntake } from './intake.ts'
import type { MqttConnection } from './mqtt-connection.ts'

type Options = { databaseUrl: string; messages: MqttConnection; log: MinimalLogger; intervalMs?: number }

/**
 * Starts work that runs only while this process is the listener, before its first message; returns a function that
 * stops it.
 */
export type StartLeaderTask = () => Promise<() => void>

/**
 * Receives device messages in one process of the installation at a time; another takes over when it dies. Messages it
 * had taken but not stored are sent again by devices, as they were not acknowledged.
 */
export const listenAsLeader = (
  intakes: Record<string, MessageIntake>,
  begin: StartLeaderTask,
  { databaseUrl, messages, ...rest }: Options,
): Lease =>
  holdLease(databaseUrl, 'mqtt', {
    ...rest,
    gained: async () => {
      // Another server may be able to reach the broker.
      if (messages.state() !== 'connected') throw new Error('The MQTT broker is not connected')
      const over = await begin()
      const subscriptions = Object.entries(intakes).map(([pattern, intake]) => messages.subscribe(pattern, intake))
      const ends = await Promise.all(subscriptions)
      return async () => {
        over()
        await Promise.all(ends.map((end) => end()))
      }
    },
  })
