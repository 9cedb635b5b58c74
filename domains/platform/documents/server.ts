import { defineModule } from '#kit/server/module/module.ts'
import { documentDictionaries } from './dictionaries.ts'
import { printTemplateServer } from './print-template.server.ts'
import { documentRoutes } from './sheets.server.ts'

export default defineModule({
  name: 'platform/documents',
  label: { zh: '单据打印', en: 'Documents' },
  resources: [printTemplateServer],
  routes: documentRoutes,
  dictionaries: documentDictionaries,
})
