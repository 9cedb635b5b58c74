import { holdLease, type Lease } from '../database/lease.ts'
import type { MinimalLogger } from '../shared/index.ts'
import type { MessageIntake } from './intake.ts'
import type { MqttConnection } from './mqtt-connection.ts'

type Options = { databaseUrl: string; messages: MqttConnection; log: MinimalLogger; intervalMs?: number }

/** Begins what goes on only while this process listens, before the first message; answers how it ends. */
export type StartLeaderTask = () => Promise<() => void>

/**
 * Hears what devices say, in one process of all servers at a time. Another goes on when that one dies; what it had
 * taken and not stored comes again from whoever was not told that it is.
 */
export const listenAsLeader = (
  intakes: Record<string, MessageIntake>,
  begin: StartLeaderTask,
  { databaseUrl, messages, ...rest }: Options,
): Lease =>
  holdLease(databaseUrl, 'mqtt', {
    ...rest,
    gained: async () => {
      // Another server may reach the broker.
      if (messages.state() !== 'connected') throw new Error('The MQTT broker is not connected')
      const over = await begin()
      const asked = Object.entries(intakes).map(([pattern, intake]) => messages.subscribe(pattern, intake))
      const ends = await Promise.all(asked)
      return async () => {
        over()
        await Promise.all(ends.map((end) => end()))
      }
    },
  })
