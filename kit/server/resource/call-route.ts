import { findServedResource } from './custom-fields.ts'
import { requestApprovalIfNeeded, type PendingApproval } from '../request/approval-gate.ts'
import { parseInput } from '../request/parse-input.ts'
import { Refused } from '../base/refused.ts'
import { authoriseCall } from '../request/pipeline.ts'
import type { Call, Route, ServedResource, ModuleRegistry } from '../module/module.ts'

const known = new WeakMap<ModuleRegistry, Map<string, Route>>()

/** Returns the route at a path, generated or declared. */
export function findRoute(registry: ModuleRegistry, path: string): Route | undefined {
  let routes = known.get(registry)
  if (!routes) {
    known.set(registry, (routes = new Map()))
    // A writing route wins over a GET route at the same path.
    for (const one of registry.routes) if (one.method !== 'GET' || !routes.has(one.path)) routes.set(one.path, one)
  }
  return routes.get(path)
}

/**
 * Calls a route from within another call, in its transaction. Permission, API scopes, input checks, approval gate and
 * handler are those of the route, so that none is bypassed. Returns a `PendingApproval` if others must approve first.
 */
export async function callRoute(
  call: Call,
  path: string,
  { query = {}, body }: { query?: Record<string, string>; body?: Record<string, unknown> },
): Promise<unknown> {
  const route = findRoute(call.services.registry, path)
  if (!route || route.tx === false) throw new Refused('no_such_path')
  await authoriseCall(call.caller, route.can, path, call.services, route)
  const input = route.input ? parseInput(route.input, { ...body, ...query }) : {}
  // Approval was given to the outer call only; this one is checked by itself.
  const { isApproved: _agreed, ...rest } = call
  const inner = { ...rest, query, body, input, file: undefined }
  return (await requestApprovalIfNeeded(route, inner)) ?? route.handle(inner)
}

/**
 * For a write that does not go through the route at `path` but has the same effect: asks the approval gate. The gate
 * tries `write`; if it holds the change, it stores it as a call of that route with this body.
 */
export async function holdWriteForApproval(
  call: Call,
  path: string,
  body: Record<string, unknown>,
  write: (call: Call) => Promise<unknown>,
): Promise<PendingApproval | undefined> {
  const route = findRoute(call.services.registry, path)
  const { file: _file, files: _files, ...rest } = call
  return route && requestApprovalIfNeeded({ ...route, handle: write }, { ...rest, query: {}, body, input: {} })
}

/** Returns the resource named in the request, with the custom fields of the caller's tenant; refuses unknown names. */
export function requireServedResource(call: Call): ServedResource {
  const served = findServedResource(call.query.resource ?? '', call)
  if (!served) throw new Refused('no_such_path')
  return served
}
