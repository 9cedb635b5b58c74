import type { Field } from '#kit/fields/base/field-kind.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'

/** Returns whether a field is saved as soon as a value is chosen. */
export const isSavedOnChoice = (field: Field): boolean => !!webFieldKindOf(field).savesOnChoice
export const fieldColumnWidth = (field: Field) => Math.max(84, webFieldKindOf(field).width)
