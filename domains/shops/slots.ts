import type { ComponentType } from 'react'
import { definePageSlot } from '#kit/web/page-slots.ts'

/** Sections beside a shop's facts on its page. */
export const shopBeside = definePageSlot<ComponentType<{ shopId: string }>>('shop.beside')
