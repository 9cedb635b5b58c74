import { broadcastToProcesses, onProcessBroadcast } from '#kit/server/shared/broadcast.ts'
import type { Db } from '#kit/server/database/db.ts'
import { canonicalPath } from '#kit/server/request/requested-operation.ts'
import type { Services } from '#kit/server/module/services.ts'

export type ApprovalRule = {
  id: string
  name: string
  act: string
  condition: string | null
  processId: string | null
  userIds: string[]
  roleIds: string[]
  mode: string
  hours: number
}

const TOPIC = 'flow.rules'
const KEEP_MS = 60_000
type Memory = { at: number; rules?: Promise<Map<string, ApprovalRule[]>> }
const memories = new WeakMap<Services, Memory>()

const nameOf = (tenantId: string, path: string) => `${tenantId} ${path}`

/** Returns a tenant's active approval rules for a path or any alias of it. Cached, as every write asks for them. */
export async function findApprovalRules(
  services: Services,
  tenantId: string,
  path: string,
): Promise<readonly ApprovalRule[]> {
  let memory = memories.get(services)
  if (!memory) {
    const made: Memory = { at: 0 }
    memories.set(services, (memory = made))
    onProcessBroadcast(services, TOPIC, () => delete made.rules)
  }
  if (!memory.rules || Date.now() - memory.at > KEEP_MS) {
    const loading = load(services)
    const mine = memory
    Object.assign(mine, { at: Date.now(), rules: loading })
    loading.catch(() => {
      if (mine.rules === loading) delete mine.rules
    })
  }
  return (await memory.rules)!.get(nameOf(tenantId, canonicalPath(services.registry, path))) ?? []
}

async function load(services: Services): Promise<Map<string, ApprovalRule[]>> {
  const { rows } = await services.systemPool.query<ApprovalRule & { tenantId: string }>(
    `select id::text, tenant_id as "tenantId", name, act, condition, process_id::text as "processId",
      coalesce(user_ids, '{}')::text[] as "userIds", coalesce(role_ids, '{}')::text[] as "roleIds",
      coalesce(mode, 'any') as mode, coalesce(hours, 72)::int as hours
      from flow_rule where enabled and is_deleted = 0 order by id`,
  )
  const found = new Map<string, ApprovalRule[]>()
  for (const { tenantId, ...rule } of rows) {
    const name = nameOf(tenantId, canonicalPath(services.registry, rule.act))
    found.set(name, [...(found.get(name) ?? []), rule])
  }
  return found
}

/** Makes every process reload the rules after the commit. */
export function publishApprovalRulesChanged(db: Db, services: Services): void {
  db.afterCommit(() => {
    delete memories.get(services)?.rules
    return broadcastToProcesses(services, TOPIC)
  })
}
