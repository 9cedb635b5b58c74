import type { ComponentType } from 'react'
import { definePageSlot } from '#kit/web/base/page-slots.ts'

/** Sections in the side column of an order, from dependent modules. */
export const orderSidePanelSlot = definePageSlot<ComponentType<{ orderId: string }>>('order.beside')

/** Sections between an order's price and its payments, from dependent modules; each may render nothing. */
export const orderMoneySlot = definePageSlot<ComponentType<{ orderId: string; isToPay: boolean }>>('order.money')
