import './refusals.ts'
import { defineModule } from '#kit/server/module.ts'
import { codeRoutes, codeServer } from './code.server.ts'
import { dataSourceRoutes, dataSourceServer } from './data-source.server.ts'
import { dictionaries } from './dictionaries.ts'
import { modelPrototypeServer, modelRoutes, modelServer } from './model.server.ts'

export default defineModule({
  name: 'platform/code-generator',
  label: { zh: '开发工具', en: 'Developer tools' },
  resources: [dataSourceServer, modelServer, modelPrototypeServer, codeServer],
  routes: [...dataSourceRoutes, ...modelRoutes, ...codeRoutes],
  dictionaries,
  menus: [{ code: 'tool', label: { zh: '开发工具', en: 'Developer tools' }, path: '/tool', icon: 'tool', sort: 96 }],
})
