import { MANAGEMENT_TENANT, type Caller } from '#kit/server/caller.ts'
import type { Call } from '#kit/server/module.ts'
import type { OperationEntry, Services } from '#kit/server/services.ts'
import { currentTrace } from '#kit/server/trace.ts'
import type { AllLogs, BrowserError, UsualEntry } from './logs-provider.ts'

export { createLogs } from './logs-provider.ts'
export { openingsTold } from './personal-opening.server.ts'

export { loggedRequest, logRequest, type OutsideCall } from './request-log.ts'
export type { BrowserError, UsualEntry } from './logs-provider.ts'

const logsOf = (services: Services) => services.logs as AllLogs

const entryOf = (call: Pick<Call, 'caller' | 'request'>): OperationEntry => ({
  caller: call.caller,
  tenantId: call.caller.tenantId || MANAGEMENT_TENANT,
  title: '',
  method: call.request.method,
  uri: call.request.url.split('?', 1)[0]!,
  params: {},
  ip: call.request.ip,
  userAgent: call.request.userAgent,
  millis: 0,
  traceId: call.request.traceId,
  status: 200,
})

/** Keeps the errors a browser gathered; answers how many. */
export const recordBrowserErrors = (call: Call, errors: readonly BrowserError[]): number =>
  logsOf(call.services).browserErrors(entryOf(call), errors)

/** A word of the product about itself, on behalf of a call. */
export const recordUsual = (call: Call, usual: UsualEntry): void => logsOf(call.services).usual(entryOf(call), usual)

/** The same for jobs, seeds and the start of the process, where nobody calls. */
export function recordUsualOf(
  services: Services,
  usual: UsualEntry,
  tenantId = MANAGEMENT_TENANT,
  caller?: Caller,
): void {
  logsOf(services).usual(
    {
      caller,
      tenantId,
      title: '',
      method: '',
      uri: '',
      params: {},
      ip: '',
      userAgent: '',
      millis: 0,
      traceId: currentTrace()?.id ?? '',
      status: 200,
    },
    usual,
  )
}

/** Writes what is waiting now. */
export const flushLogs = (services: Services): Promise<void> => logsOf(services).flush()

/** Demo data of this module, loaded only when it is seeded. */
export const logsStory = () => import('./personal.demo.ts')
