/** Logger of background parts; pino fits. */
export type MinimalLogger = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export const silentLogger: MinimalLogger = { info: () => {}, warn: () => {}, error: () => {} }
