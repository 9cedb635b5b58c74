import {
  defineOutboundCall,
  OutboundCallError,
  type OutboundAnswer,
  type outboundCalls,
} from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'

/** Where the process that sends a call dies: nothing it would do afterwards happens. */
export const CRASH_POINTS = ['before sending', 'after sending', 'before the answer is stored'] as const
type CrashPoint = (typeof CRASH_POINTS)[number]

/** How the other side tells calls apart, as far as a declaration uses it. */
type VendorTraits = { canBeAsked: boolean; remembersNumbers: boolean }

/** A call as a module declares it. */
export type DeclaredCall = ReturnType<typeof outboundCalls>[number]

let plays = 0
const never = new Promise<never>(() => {})

/**
 * A call as declared, with its states, fields and rules, whose other side is played: it acts once for each request it
 * gets, or once for each number where it remembers them. `crash` stops the sender at that point for good.
 */
export function playOutboundCall(
  { definition }: DeclaredCall,
  { canBeAsked, remembersNumbers }: VendorTraits,
  key = 'this row',
) {
  const acts: string[] = []
  let crash: CrashPoint | undefined
  let reached = () => {}
  const stop = (): Promise<never> => {
    reached()
    return never
  }
  const ask = async (): Promise<OutboundAnswer<any> | undefined> =>
    acts.includes(key) ? { outcome: 'done' } : undefined
  const call = defineOutboundCall<any, undefined>({
    ...definition,
    // Jobs of the played call are run by the test, not by a worker.
    queue: `${definition.queue} played ${++plays}`,
    payloadKey: 'id',
    prepare: () => ({ work: undefined }),
    send: async (): Promise<OutboundAnswer<any>> => {
      if (crash === 'before sending') return stop()
      if (!remembersNumbers || !acts.includes(key)) acts.push(key)
      if (crash === 'after sending') return stop()
      return { outcome: 'done' }
    },
    find: canBeAsked ? ask : undefined,
    check: canBeAsked ? async () => (await ask())! : undefined,
    isRepeatable: () => remembersNumbers,
    ended: undefined,
    follow: undefined,
  })
  const run = (services: Services, tenantId: string, id: string): Promise<void> =>
    call.sendJob.run({ id }, { services, tenantId, signal: new AbortController().signal, jobId: '1', attempt: 1 })
  return {
    acts,
    /** Runs the call as its job would. */
    run: async (services: Services, tenantId: string, id: string): Promise<void> => {
      crash = undefined
      await run(services, tenantId, id).catch((error: unknown) => {
        if (!(error instanceof OutboundCallError)) throw error
      })
    },
    /** Runs the call in a process that dies at this point. */
    runUntil: async (point: CrashPoint, services: Services, tenantId: string, id: string): Promise<void> => {
      crash = point
      let units = 0
      const dying: Services = {
        ...services,
        unit: (...unit) => (++units > 1 ? stop() : services.unit(...unit)),
      }
      await new Promise<void>((resolve, reject) => {
        reached = resolve
        run(dying, tenantId, id).then(() => reject(new Error(`the sender did not die ${point}`)), reject)
      })
    },
  }
}
