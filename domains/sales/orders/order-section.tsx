import type { ReactNode } from 'react'

export function OrderSection({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="order-section">
      <h3>
        {title}
        {aside && <span className="kit-quiet">{aside}</span>}
      </h3>
      {children}
    </section>
  )
}
