import { lazy, type ComponentType } from 'react'

/** `lazy` for a component with a type parameter (the resource it shows), which React's own type would lose. */
export const lazyGenericComponent = <T extends ComponentType<any>>(load: () => Promise<{ default: T }>) =>
  lazy(load) as ReturnType<typeof lazy<T>> & T
