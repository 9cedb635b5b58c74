/**
 * A data scope (row filter) of one of the caller's roles (wire contract §13; type 6, the caller's shops, is an
 * extension of ours).
 */
export type DataScope = {
  /** Id of the data-scope row. */
  id?: string
  name?: string | null
  resourceCode: string
  /** 1 all · 2 own · 3 own departments · 4 with descendants · 5 custom · 6 the caller's limits (shops). */
  type: number
  column: string | null
  /** Fields the caller may see, comma-separated; `*` or nothing means all. */
  fields?: string | null
  value: string | null
}

/**
 * The authenticated caller. Made by the access module from a verified token, cached briefly, and dropped when roles,
 * menus or the user change.
 */
export type Caller = {
  userId: string
  tenantId: string
  account: string
  name: string
  sessionId: string
  clientId: string
  roleIds: readonly string[]
  /**
   * All roles of the person, also those this session was not opened for: restrictions of the person follow from these.
   */
  heldRoleIds?: readonly string[]
  roleAliases: readonly string[]
  deptIds: readonly string[]
  /** The caller's departments and all below them. */
  deptTreeIds: readonly string[]
  /** Role `administrator` of the management tenant: all tenants, every permission. */
  isPlatform: boolean
  /** Alias `admin` or `administrator`: exempt from data scopes. */
  isAdmin: boolean
  /** The password must be changed first: all other routes are refused. */
  mustChangePassword?: boolean
  permissions: ReadonlySet<string>
  dataScopes: readonly DataScope[]
  /** Ids of API scopes the caller's roles hold. */
  apiScopeIds: ReadonlySet<string>
  /**
   * Limits of the caller by key: `{ shop: ['1', '2'] }`. A resource with that `scope` key shows only such rows; an
   * absent key does not limit.
   */
  limits: Readonly<Record<string, readonly string[]>>
}

export const MANAGEMENT_TENANT = '000000'

/** Ids of all roles of the person, whichever of them the session was opened for. */
export const allRoleIds = ({ roleIds, heldRoleIds = [] }: Pick<Caller, 'roleIds' | 'heldRoleIds'>): string[] => [
  ...new Set([...roleIds, ...heldRoleIds]),
]

export const hasPermission = (caller: Caller, code: string): boolean =>
  caller.isPlatform || caller.permissions.has(code)
