/** Settings of a browser build from its environment; everything else comes from the server. */
const env: Record<string, string | undefined> = import.meta.env ?? {}

export const webSettings = {
  clientId: env.VITE_CLIENT_ID ?? 'saber',
  clientSecret: env.VITE_CLIENT_SECRET ?? 'saber_secret',
  product: { zh: env.VITE_PRODUCT_ZH ?? '无人店管理平台', en: env.VITE_PRODUCT_EN ?? 'Store Office' },
  storagePrefix: env.VITE_STORAGE_PREFIX ?? 'store-office-',
  accessCookie: 'store-access-token',
  refreshCookie: 'store-refresh-token',
  defaultTenant: '000000',
  tenantMode: env.VITE_TENANT_MODE !== 'false',
  captchaMode: env.VITE_CAPTCHA_MODE !== 'false',
  switchMode: env.VITE_SWITCH_MODE === 'true',
  /** Age in seconds at which an access token is replaced; it stays valid for ten more minutes. */
  tokenTime: 3000,
  tokenCheckEvery: 10_000,
  requestTimeout: 300_000,
  chunkTimeout: 120_000,
  /** Refusal codes without a toast. */
  silentCodes: [] as number[],
  defaultColour: '#409EFF',
  defaultTheme: 'default',
}
