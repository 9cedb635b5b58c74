import type { ComponentType } from 'react'
import { definePageSlot } from '#kit/web/page-slots.ts'

/** Sections beside an order, from modules above. */
export const orderSidePanelSlot = definePageSlot<ComponentType<{ orderId: string }>>('order.beside')

/** What modules above show of an order between its price and what was paid; nothing of it where they have nothing. */
export const orderMoneySlot = definePageSlot<ComponentType<{ orderId: string; isToPay: boolean }>>('order.money')
