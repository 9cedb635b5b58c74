import './refusals.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { customFieldKindDictionary, customFieldTargetDictionary } from './dictionaries.ts'
import { clearRemovedCustomFieldsJob, updateCustomFieldIndexesJob, REMOVED_FIELD_DAYS_PARAM } from './own-field.job.ts'
import { customFieldRoutes, customFieldServer } from './own-field.server.ts'
import { customFieldCountTable } from './tables.ts'

export default defineModule({
  name: 'platform/custom-fields',
  label: { zh: '自定义字段', en: 'Custom fields' },
  resources: [customFieldServer],
  routes: customFieldRoutes,
  tables: [customFieldCountTable],
  jobs: [updateCustomFieldIndexesJob, clearRemovedCustomFieldsJob],
  dictionaries: [customFieldKindDictionary, customFieldTargetDictionary],
  params: [REMOVED_FIELD_DAYS_PARAM],
})
