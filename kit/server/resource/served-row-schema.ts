import type { ResponseSchema } from '../../resource/response-schema.ts'
import { rowSchema, withProperties } from '../../resource/row-schema.ts'
import type { ServedResource } from '../module/module.ts'

/** Schema of a resource's row with what its `present` hook adds. */
export const servedRowSchema = ({ resource, hooks }: ServedResource): ResponseSchema =>
  hooks.adds ? withProperties(rowSchema(resource), hooks.adds) : rowSchema(resource)
