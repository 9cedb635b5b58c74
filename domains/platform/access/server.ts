import { defineModule } from '#kit/server/module/module.ts'
import {
  apiScopeTypeDictionary,
  buttonPositionDictionary,
  dataScopeTypeDictionary,
  menuCategoryDictionary,
  scopeCategoryDictionary,
} from './dictionaries.ts'
import { seedAccess } from './api.ts'
import { roleGrantRoutes } from './grants.ts'
import { menuRoutes, menuServer } from './menu.server.ts'
import { navigationRoutes } from './navigation.ts'
import './refusals.ts'
import { roleRoutes, roleServer } from './role.server.ts'
import { apiScopeBlockedUsersRoute } from './shut-out.ts'
import { apiScopeServer, dataScopeServer } from './scopes.server.ts'
import { dataScopeRulesRoute } from './scope-meaning.ts'
import { accessTables } from './tables.ts'
import { topMenuServer } from './top-menu.server.ts'

export default defineModule({
  name: 'platform/access',
  label: { zh: '权限', en: 'Access' },
  resources: [roleServer, menuServer, topMenuServer, dataScopeServer, apiScopeServer],
  routes: [
    ...roleRoutes,
    ...menuRoutes,
    ...navigationRoutes,
    ...roleGrantRoutes,
    dataScopeRulesRoute,
    apiScopeBlockedUsersRoute,
  ],
  tables: accessTables,
  dictionaries: [
    menuCategoryDictionary,
    buttonPositionDictionary,
    scopeCategoryDictionary,
    dataScopeTypeDictionary,
    apiScopeTypeDictionary,
  ],
  menus: [
    {
      code: 'authority',
      label: { zh: '权限管理', en: 'Access control' },
      path: '/authority',
      icon: 'safety',
      sort: 98,
    },
    { code: 'system', label: { zh: '系统管理', en: 'System' }, path: '/system', icon: 'setting', sort: 99 },
  ],
  seed: seedAccess,
})
