import type { ComponentType } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { definePageSlot } from '../page-slots.ts'

/** Below the choice of a list's columns. */
export const columnSettingsFooterSlot = definePageSlot<ComponentType<{ resource: Resource<any, any> }>>('list.columns')
