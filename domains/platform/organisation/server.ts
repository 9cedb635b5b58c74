import { defineModule } from '#kit/server/module/module.ts'
import { deptRoutes, deptServer } from './dept.server.ts'
import { orgCategoryDictionary, postCategoryDictionary } from './dictionaries.ts'
import { seedOrganisation } from './api.ts'
import { postOptionsRoute, postServer } from './post.server.ts'
import './refusals.ts'

export default defineModule({
  name: 'platform/organisation',
  label: { zh: '组织机构', en: 'Organization' },
  resources: [deptServer, postServer],
  routes: [...deptRoutes, postOptionsRoute],
  dictionaries: [orgCategoryDictionary, postCategoryDictionary],
  seed: seedOrganisation,
})
