import { MANAGEMENT_TENANT, type Caller } from '#kit/server/base/caller.ts'
import type { Call } from '#kit/server/module/module.ts'
import type { OperationEntry, Services } from '#kit/server/module/services.ts'
import { currentTrace } from '#kit/server/base/trace.ts'
import type { AllLogWriters, BrowserErrorReport, SystemLogEntry } from './logs-provider.ts'

export { createLogWriters } from './logs-provider.ts'
export { personalOpeningsAlertSlot } from './personal-opening.server.ts'

export { callAndLogExternal, logExternalCall, type LoggedExternalCall } from './request-log.ts'
export type { BrowserErrorReport, SystemLogEntry } from './logs-provider.ts'

const logsOf = (services: Services) => services.logs as AllLogWriters

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

/** Logs errors a browser collected. Returns how many. */
export const recordBrowserErrors = (call: Call, errors: readonly BrowserErrorReport[]): number =>
  logsOf(call.services).browserErrors(entryOf(call), errors)

/** Writes an entry to the system log on behalf of a call. */
export const recordSystemLog = (call: Call, usual: SystemLogEntry): void =>
  logsOf(call.services).usual(entryOf(call), usual)

/** Writes an entry to the system log outside of a call: in jobs, seeds and at the start. */
export function recordSystemLogWithoutCall(
  services: Services,
  usual: SystemLogEntry,
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

/** Writes all queued log rows now. */
export const flushLogs = (services: Services): Promise<void> => logsOf(services).flush()

export const importLogsDemo = () => import('./personal.demo.ts')
