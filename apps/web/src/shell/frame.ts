import { create } from 'zustand'
import { keep, recall } from '#kit/web/storage.ts'

type Frame = { collapsed: boolean; drawer: boolean }

/** Whether the sidebar is narrow, and whether the phone's drawer is open. */
export const useFrame = create<Frame>()(() => ({ collapsed: recall<boolean>('collapsed') ?? false, drawer: false }))

export function toggleSidebar() {
  const collapsed = !useFrame.getState().collapsed
  keep('collapsed', collapsed)
  useFrame.setState({ collapsed })
}

export const showDrawer = (drawer: boolean) => useFrame.setState({ drawer })
