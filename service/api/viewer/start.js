"use strict";

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const followSystemColours = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followSystemColours);
followSystemColours();

window.ui = SwaggerUIBundle({
  dom_id: "#reference",
  url: "openapi.yaml",
  deepLinking: true,
  persistAuthorization: false, // a token is forgotten with the page
  queryConfigEnabled: false, // a link cannot make this page load another API
  validatorUrl: null, // no badge: it would send the address of this server to another host
});
