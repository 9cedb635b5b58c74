export {
  apiScopeTypeDictionary,
  buttonPositionDictionary,
  dataScopeTypeDictionary,
  menuCategoryDictionary,
  scopeCategoryDictionary,
} from './dictionaries.ts'
export { menu } from './menu.resource.ts'
export { role } from './role.resource.ts'
export { apiScope, dataScope } from './scopes.resource.ts'
export { topMenu } from './top-menu.resource.ts'

/** Role alias of platform administrators. */
export const PLATFORM_ADMIN_ALIAS = 'administrator'
/** Role alias of a tenant's administrators. */
export const TENANT_ADMIN_ALIAS = 'admin'
export const isAdminAlias = (alias: string) => alias === TENANT_ADMIN_ALIAS || alias === PLATFORM_ADMIN_ALIAS
