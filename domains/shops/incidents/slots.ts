import type { ComponentType } from 'react'
import { definePageSlot } from '#kit/web/page-slots.ts'

/** More beside a case, from modules above; nothing of it where they have nothing. */
export const guardSidePanelSlot =
  definePageSlot<ComponentType<{ caseId: string; shopId: string; eventId: string; visitId: string }>>('guard.beside')
