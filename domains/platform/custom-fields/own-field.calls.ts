import { objectSchema, textSchema, defineCall, arraySchema, integerSchema } from '#kit/resource/index.ts'
import { ownField } from './own-field.resource.ts'

/** Data that supports custom fields. */
export const extensibleResourcesCall = defineCall({
  method: 'GET',
  path: `${ownField.path}/families`,
  answer: arraySchema(objectSchema({ name: textSchema, label: textSchema, group: textSchema, count: integerSchema })),
})
