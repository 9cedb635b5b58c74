import { create } from 'zustand'
import { setStoredValue, getStoredValue } from '#kit/web/base/storage.ts'

type Frame = { collapsed: boolean; drawer: boolean }

/** Whether the sidebar is collapsed, and whether the menu drawer of a phone is open. */
export const useShellLayout = create<Frame>()(() => ({
  collapsed: getStoredValue<boolean>('collapsed') ?? false,
  drawer: false,
}))

export function toggleSidebar() {
  const collapsed = !useShellLayout.getState().collapsed
  setStoredValue('collapsed', collapsed)
  useShellLayout.setState({ collapsed })
}

export const setMobileMenuOpen = (drawer: boolean) => useShellLayout.setState({ drawer })
