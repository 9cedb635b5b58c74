import { Drawer as AntDrawer, Skeleton, type DrawerProps } from 'antd'
import { Suspense, useRef } from 'react'

/**
 * antd's drawer, and it takes the focus and keeps it: antd's own asks for it before its panel is shown, and so never
 * gets it. What is fetched late waits inside: a drawer that waits as a whole is taken out of the document meanwhile,
 * with the focus and what was typed.
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
