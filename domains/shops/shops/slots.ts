import type { ComponentType } from 'react'
import { definePageSlot } from '#kit/web/page-slots.ts'

/** Sections beside a shop's facts on its page. */
export const shopSidePanelSlot = definePageSlot<ComponentType<{ shopId: string }>>('shop.beside')

/** What can be done in a shop at once, above all else about it. */
export const shopActionsSlot = definePageSlot<ComponentType<{ shopId: string }>>('shop.acts')
