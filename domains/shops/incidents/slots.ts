import type { ComponentType } from 'react'
import { definePageSlot } from '#kit/web/base/page-slots.ts'

/** Slot for panels of other modules beside a case. */
export const guardSidePanelSlot =
  definePageSlot<ComponentType<{ caseId: string; shopId: string; eventId: string; visitId: string }>>('guard.beside')
