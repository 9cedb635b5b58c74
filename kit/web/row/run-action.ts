import { useState } from 'react'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import type { UntypedRow } from './form-values.ts'
import { apiDownload, apiGet, ApiError, isHeldForApprovalError, apiPost, type RequestOptions } from '../http/http.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { toast } from '../base/toast.ts'
import { useInvalidateResource } from './use-detail.ts'

type Refusal = { reason?: string; fields?: Record<string, string>; row?: UntypedRow }

/** Returns the details of a refusal, such as its problems by field; an empty object for any other error. */
export const refusalDetailsOf = (reason: unknown): Refusal =>
  reason instanceof ApiError && typeof reason.data === 'object' && reason.data !== null ? reason.data : {}

type Target = { id?: string; ids?: string; version?: string }

/**
 * Returns a row as the target of an action, with the version the user sees, so that the server refuses if it changed.
 */
const targetOf = (row: UntypedRow): Target => ({
  id: String(row.id),
  ...(row.version !== undefined && { version: String(row.version) }),
})

/** Returns the target of an action: one row, several ids, or nothing for an action without rows. */
export const actionTargetOf = ({ on }: Action, rows: UntypedRow[]): Target =>
  on === 'row' ? targetOf(rows[0]!) : on === 'bulk' ? { ids: rows.map((row) => row.id).join(',') } : {}

/** Calls the route of a declared action. */
export function callAction(
  resource: Resource<any, any>,
  name: string,
  action: Action,
  target: Target,
  input?: UntypedRow,
  options?: RequestOptions,
) {
  const path = `${resource.path}/${action.path ?? name}`
  return action.method === 'GET'
    ? apiGet<unknown>(path, { ...target, ...input }, options)
    : apiPost<unknown>(path, { query: target, ...(input && { body: input }) }, options)
}

/** Downloads the file if the answer is a download ticket. */
async function fetchTicket(answer: unknown) {
  const ticket = (answer as { ticket?: unknown } | undefined)?.ticket
  if (typeof ticket === 'string') await apiDownload(`/api/kit/download/${encodeURIComponent(ticket)}`)
}

/**
 * Returns a function that runs one action at a time and shows the outcome as a toast; refetches the resource
 * afterwards.
 */
export function useActionRunner(resource: Resource<any, any>) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const [running, setRunning] = useState(false)
  const run = async (work: () => Promise<unknown>, success = words.done) => {
    if (running) return false
    setRunning(true)
    try {
      const answer = await work()
      await fetchTicket(answer)
      toast.success(t(success, (answer ?? {}) as UntypedRow))
      void renew(resource)
      return true
    } catch (reason) {
      if (!isHeldForApprovalError(reason)) throw reason
      toast.info(reason.message)
      return true
    } finally {
      setRunning(false)
    }
  }
  return { run, running }
}
