/**
 * A row of the data-scope screen bound to one of the caller's roles (wire contract §13; type 6 is ours: the caller's
 * shops).
 */
export type DataScope = {
  /** The scope's row. */
  id?: string
  name?: string | null
  resourceCode: string
  /** 1 all · 2 own · 3 own departments · 4 with descendants · 5 custom · 6 the caller's limits (shops). */
  type: number
  column: string | null
  /** Fields its holder may see, comma list; `*` or nothing for all. */
  fields?: string | null
  value: string | null
}

/**
 * Who calls. Made by the access module from a verified token, cached shortly, dropped when roles, menus or the user
 * change.
 */
export type Caller = {
  userId: string
  tenantId: string
  account: string
  name: string
  sessionId: string
  clientId: string
  roleIds: readonly string[]
  /** All roles of the person, also those that this session was not opened for: what limits a person hangs on these. */
  heldRoleIds?: readonly string[]
  roleAliases: readonly string[]
  deptIds: readonly string[]
  /** The caller's departments with all below them. */
  deptTreeIds: readonly string[]
  /** Role `administrator` of the management tenant: all tenants, every permission. */
  isPlatform: boolean
  /** Alias `admin` or `administrator`: exempt from data scopes. */
  isAdmin: boolean
  /** The password has to be changed first: only calls that help with that are answered. */
  mustChangePassword?: boolean
  permissions: ReadonlySet<string>
  dataScopes: readonly DataScope[]
  /** Ids of API scopes the caller's roles hold. */
  apiScopeIds: ReadonlySet<string>
  /** Present keys limit the caller: `{ shop: ['1', '2'] }`. A resource with that scope key shows only these rows. */
  limits: Readonly<Record<string, readonly string[]>>
}

export const MANAGEMENT_TENANT = '000000'

/** Every role the person holds, whichever of them the session was opened for. */
export const allRoleIds = ({ roleIds, heldRoleIds = [] }: Pick<Caller, 'roleIds' | 'heldRoleIds'>): string[] => [
  ...new Set([...roleIds, ...heldRoleIds]),
]

export const hasPermission = (caller: Caller, code: string): boolean =>
  caller.isPlatform || caller.permissions.has(code)
