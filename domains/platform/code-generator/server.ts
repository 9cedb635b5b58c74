import './refusals.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { codeGenerationRoutes, codeGenerationServer } from './code.server.ts'
import { dataSourceRoutes, dataSourceServer } from './data-source.server.ts'
import { codeGeneratorDictionaries } from './dictionaries.ts'
import { modelPrototypeServer, modelRoutes, modelServer } from './model.server.ts'

export default defineModule({
  name: 'platform/code-generator',
  label: { zh: '开发工具', en: 'Developer tools' },
  resources: [dataSourceServer, modelServer, modelPrototypeServer, codeGenerationServer],
  routes: [...dataSourceRoutes, ...modelRoutes, ...codeGenerationRoutes],
  dictionaries: codeGeneratorDictionaries,
  menus: [{ code: 'tool', label: { zh: '开发工具', en: 'Developer tools' }, path: '/tool', icon: 'tool', sort: 96 }],
})
