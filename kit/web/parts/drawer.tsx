import { Drawer as AntDrawer, Skeleton, type DrawerProps } from 'antd'
import { Suspense, useRef } from 'react'

/**
 * antd's drawer, fixed to take the keyboard focus when it opens; antd's own asks for it before the panel is visible and
 * never gets it. Lazy content suspends inside the drawer: a drawer that suspends as a whole is removed meanwhile, with
 * its focus and input.
 */
export function Drawer({ afterOpenChange, children, extra, footer, ...props }: DrawerProps) {
  const panel = useRef<HTMLDivElement>(null)
  return (
    <AntDrawer
      {...props}
      extra={extra && <Suspense>{extra}</Suspense>}
      footer={footer && <Suspense>{footer}</Suspense>}
      panelRef={panel}
      afterOpenChange={(isOpen) => {
        const { current } = panel
        if (isOpen && current && !current.contains(document.activeElement)) {
          current.tabIndex = -1
          current.focus({ preventScroll: true })
        }
        afterOpenChange?.(isOpen)
      }}
    >
      <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>{children}</Suspense>
    </AntDrawer>
  )
}
