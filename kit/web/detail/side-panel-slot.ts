import type { ComponentType } from 'react'
import { definePageSlot } from '../page-slots.ts'

/** What modules above show with a row of any family below its facts; nothing of it where they have nothing. */
export const rowSidePanelSlot = definePageSlot<ComponentType<{ resource: string; id: string }>>('row.beside')
