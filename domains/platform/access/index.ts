export { apiScopeType, buttonFunc, dataScopeType, menuCategory, scopeCategory } from './dictionaries.ts'
export { menu } from './menu.resource.ts'
export { role } from './role.resource.ts'
export { apiScope, dataScope } from './scopes.resource.ts'
export { topMenu } from './top-menu.resource.ts'

/** Alias of the platform's administrators, and of a tenant's. */
export const ADMINISTRATOR = 'administrator'
export const ADMIN = 'admin'
export const isAdminAlias = (alias: string) => alias === ADMIN || alias === ADMINISTRATOR
