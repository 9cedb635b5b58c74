import type { ComponentType } from 'react'
import { definePageSlot } from '#kit/web/page-slots.ts'

/** What the figure of stock of some goods is made of, on their page. */
export const stockExplanationSlot = definePageSlot<ComponentType<{ goodId: string }>>('good.figure')
