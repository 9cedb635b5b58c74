import type { ReactNode } from 'react'
import { Drawer } from './drawer.tsx'

type Props = {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  /** Buttons at the foot; the last one is the primary one. */
  foot?: ReactNode
  children: ReactNode
}

/**
 * A panel from the foot of the screen for one decision, at most 90 % of its height. Closed by its button, by touching
 * beside it, by Escape and by the browser's "back".
 */
export function Sheet({ title, isOpen, onClose, foot, children }: Props) {
  return (
    <Drawer
      open={isOpen}
      placement="bottom"
      title={title}
      onClose={onClose}
      footer={foot}
      destroyOnHidden
      className="kit-drawer kit-sheet"
      size="auto"
    >
      {children}
    </Drawer>
  )
}
