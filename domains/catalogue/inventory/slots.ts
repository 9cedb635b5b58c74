import type { ComponentType } from 'react'
import { definePageSlot } from '#kit/web/base/page-slots.ts'

/** Slot on the product page for a panel that explains how its stock figure comes about. */
export const stockExplanationSlot = definePageSlot<ComponentType<{ goodId: string }>>('good.figure')
