import {
  f,
  defineCall,
  objectSchema,
  enumSchema,
  textSchema,
  arraySchema,
  numberSchema,
  yuanSchema,
} from '#kit/resource/index.ts'
import { epaDevice } from './epa.resource.ts'

/** Power consumption. */
export const epaDeviceUsageCall = defineCall({
  method: 'GET',
  path: `${epaDevice.path}/usage`,
  input: {
    id: f.ref('', { label: epaDevice.label }),
    shopId: f.ref('', { label: { zh: '门店', en: 'Store' } }),
    span: f.text({ label: { zh: '按', en: 'By' }, default: 'day', pattern: '^(day|month|year)$' }),
    day: f.date({ label: { zh: '日期', en: 'Date' } }),
  },
  answer: objectSchema({
    span: enumSchema('month', 'day', 'year'),
    day: textSchema,
    parts: arraySchema(textSchema),
    /** Kilowatt hours. */
    used: arraySchema(numberSchema),
    cost: arraySchema(yuanSchema),
    totalUsed: numberSchema,
    totalCost: yuanSchema,
  }),
})
