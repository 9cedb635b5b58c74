import { defineModuleJob, type ModuleJob } from '../module/module.ts'
import type { Services } from '../module/services.ts'
import type { CallResult } from './call-answers.ts'
import { openStatesOf, type OutboundCallDefinition, type OutboundPayload } from './call-definition.ts'
import { defineRequeueJob, enqueuerOfRows, type EnqueueRow, rowQueue, type RowJobPayload } from './row-job.ts'
import { runOutboundCall } from './run-outbound-call.ts'

type OutboundCall<Row> = {
  /** `checkJob` only where the call has two. */
  sendJob: ModuleJob<RowJobPayload>
  checkJob: ModuleJob<RowJobPayload> | undefined
  sweepJob: ModuleJob
  jobs: readonly ModuleJob[]
  /** Enqueues sending the call, or asking about it, in the caller's transaction. */
  enqueue: EnqueueRow
  /** Asks about an accepted call at once, as the other side reported something. The report itself is not trusted. */
  enqueueCheck: EnqueueRow
  /**
   * Sends a call from the request that made it, after its commit, and returns the answer; undefined when another sender
   * has it. Its job takes over if this process dies, or while it is unclear.
   */
  sendNow: (services: Services, tenantId: string, id: string) => Promise<CallResult<Row> | undefined>
  definition: OutboundCallDefinition<Row, any>
}

const declared = new Map<string, OutboundCall<any>>()

/** Returns all declared calls. */
export const outboundCalls = (): readonly OutboundCall<any>[] => [...declared.values()]

/**
 * Declares a call of another system whose request is a row first: asked → sent → (accepted →) done, failed or unknown.
 * The row is moved to `sent` before the request leaves, so that a call whose sender died is asked about and never sent
 * anew under another number, nor told as failed. Derives the job that sends, the questions about what is under way, and
 * the sweep for rows without a job.
 */
export function defineOutboundCall<Row extends object, Work>(
  definition: OutboundCallDefinition<Row, Work>,
): OutboundCall<Row> {
  const {
    queue,
    checkQueue,
    payloadKey = 'id',
    sweep,
    rows,
    states,
    concurrency,
    timeoutSeconds,
    fairByTenant,
    backoffSeconds,
  } = definition
  if (declared.has(queue)) throw new Error(`the outbound call ${queue} is declared twice`)
  const open = openStatesOf(states)
  const enqueue = enqueuerOfRows(queue, payloadKey)
  const sweepJob = defineRequeueJob({
    queue,
    otherQueues: checkQueue ? [checkQueue] : [],
    openSql: () => rows.inStatesSql(open),
    payloadKey,
    sweep,
  })
  const enqueueCheck = checkQueue ? enqueuerOfRows(checkQueue, payloadKey) : enqueue
  const idIn = ({ [payloadKey]: id, checks }: RowJobPayload): OutboundPayload => ({
    id: String(id),
    ...(checks !== undefined && { checks: Number(checks) }),
  })
  const job = (name: string) =>
    defineModuleJob<RowJobPayload>({
      queue: rowQueue(name),
      run: async (payload, { services, tenantId, signal }) => {
        const isCheck = name === checkQueue
        const answer = await runOutboundCall(call, { services, tenantId, signal, isCheck, ...idIn(payload) })
        // The job tries again, after a longer time each.
        if (answer?.outcome === 'retry') throw answer.problem
      },
      ...(concurrency && { concurrency }),
      ...(timeoutSeconds && { timeoutSeconds }),
      ...(fairByTenant && { fairByTenant }),
      ...(backoffSeconds && { backoffSeconds }),
    })
  const sendJob = job(queue)
  const checkJob = checkQueue ? job(checkQueue) : undefined
  const call: OutboundCall<Row> = {
    sendJob,
    checkJob,
    sweepJob,
    jobs: [sendJob, ...(checkJob ? [checkJob] : []), sweepJob],
    enqueue,
    enqueueCheck,
    sendNow: (services, tenantId, id) =>
      runOutboundCall(call, { services, tenantId, signal: undefined, isCheck: false, id }),
    definition,
  }
  declared.set(queue, call)
  return call
}
