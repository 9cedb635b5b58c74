import type { ComponentType } from 'react'
import { definePageSlot } from '#kit/web/base/page-slots.ts'

/** Slot for sections in the side panel of a shop. */
export const shopSidePanelSlot = definePageSlot<ComponentType<{ shopId: string }>>('shop.beside')

/** Slot for actions in a shop, shown at the top of its page. */
export const shopActionsSlot = definePageSlot<ComponentType<{ shopId: string }>>('shop.acts')
