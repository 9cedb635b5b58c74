import type { ComponentType } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { definePageSlot } from '../base/page-slots.ts'

/** Slot at the foot of the column settings of a list. */
export const columnSettingsFooterSlot = definePageSlot<ComponentType<{ resource: Resource<any, any> }>>('list.columns')
