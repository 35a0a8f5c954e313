// Shows the schema with Swagger UI, whose script makes SwaggerUIBundle global.
const place = document.getElementById("swagger-ui");

function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
}

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.schema,
  deepLinking: true,
  docExpansion: "list",
  displayOperationId: true,
  defaultModelsExpandDepth: 0,
  requestInterceptor(request) {
    if (!["GET", undefined].includes(request.method)) request.headers["X-CSRFToken"] = csrfToken();
    return request;
  },
});
