import type { ComponentType } from 'react'
import { definePageSlot } from '../base/page-slots.ts'

/**
 * Slot for what modules of a higher layer show with a row of any resource, below its fields; empty if they show
 * nothing.
 */
export const rowSidePanelSlot = definePageSlot<ComponentType<{ resource: string; id: string }>>('row.beside')
