import { allModuleRoutes } from '../request/mount.ts'
import { findServedResource } from './custom-fields.ts'
import { requestApprovalIfNeeded, type PendingApproval } from '../request/approval-gate.ts'
import { parseInput } from '../request/parse-input.ts'
import { Refused } from '../refused.ts'
import { authoriseCall } from '../request/pipeline.ts'
import type { Call, Route, ServedResource } from '../module.ts'
import type { ModuleRegistry } from '../services.ts'

const known = new WeakMap<ModuleRegistry, Map<string, Route>>()

/** The route a module mounts at a path, whether derived or its own. */
export function findRoute(registry: ModuleRegistry, path: string): Route | undefined {
  let routes = known.get(registry)
  if (!routes) {
    known.set(registry, (routes = new Map()))
    // What changes something is not hidden by what reads at the same address, or changes it for older clients.
    for (const one of allModuleRoutes(registry))
      if (one.method !== 'GET' || !routes.has(one.path)) routes.set(one.path, one)
  }
  return routes.get(path)
}

/**
 * Makes a call of a module from inside another one, in its transaction: the permission, the API scopes that guard its
 * path, its argument checks, its gate and its handler are those of the call itself, so that no way around leads past
 * them. Answers a `PendingApproval` where others have to agree first.
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
  // What others agreed to is the outer call: this one is asked about by itself.
  const { isApproved: _agreed, ...rest } = call
  const inner = { ...rest, query, body, input, file: undefined }
  return (await requestApprovalIfNeeded(route, inner)) ?? route.handle(inner)
}

/**
 * Holds back a row that is written otherwise than by the call at `path`, and comes to the same: what is tried is
 * `write`, what is kept is that call with this body.
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

/** The family a call of the kit is about, as its caller's tenant has it; refuses a name nobody declares. */
export function requireServedResource(call: Call): ServedResource {
  const served = findServedResource(call.query.resource ?? '', call)
  if (!served) throw new Refused('no_such_path')
  return served
}
